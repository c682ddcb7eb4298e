# One way to run each thing. `make help` lists them.
SHELL := /bin/bash
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)

.DEFAULT_GOAL := help
.PHONY: help install demo stack up down logs test test-fast test-long flakes chaos check-faults check-hostile check-postgres check-engines fuzz slt bench units check format proto clean chaos-streams

help: ## List what there is
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1|\2/' | column -t -s '|'

# A user whom nobody has made (`docker run --user 1234`) has no home: npm would want one at `/`.
ifeq ($(shell test -d "$$HOME" && test -w "$$HOME" && echo writable),)
export HOME := $(CURDIR)/.penstock/home
endif

# Two `make` at once may not install at once: the second waits, and finds it done.
LOCKED := $(if $(shell command -v flock),flock package-lock.json)
INSTALLED := node_modules/.package-lock.json

$(INSTALLED): package-lock.json package.json
	@command -v npm > /dev/null || { echo 'penstock: there is no npm: install Node.js 20 or later, which has it (https://nodejs.org)' >&2; exit 1; }
	@$(LOCKED) sh -c 'test $(INSTALLED) -nt package-lock.json -a $(INSTALLED) -nt package.json || \
		{ npm ci --no-audit --no-fund --loglevel=error && touch $(INSTALLED); }'

# The console's browser code, bundled again when it has changed.
CONSOLE := gateway/dist/console/manifest.json
CONSOLE_SOURCES := $(shell find gateway/src/console/web gateway/src/console/api gateway/src/console/build -type f)

$(CONSOLE): $(INSTALLED) $(CONSOLE_SOURCES)
	@node gateway/src/console/build/main.ts

# PostgreSQL for tenants' sessions: the program and the template of their servers, made of npm's package.
POSTGRES := gateway/dist/postgres/manifest.json
POSTGRES_SOURCES := $(shell find gateway/src/postgres/servers gateway/src/postgres/servers/build -maxdepth 1 -name '*.ts')

$(POSTGRES): $(INSTALLED) $(POSTGRES_SOURCES)
	@$(LOCKED) node gateway/src/postgres/servers/build/main.ts

install: $(INSTALLED) $(CONSOLE) $(POSTGRES) ## Install what everything else needs (Node.js 24 too)

demo: install ## Start the stack, seed a tenant and tables in a customer's account, run a join, stay up
	@node deploy/local/src/demo/main.ts

stack: install ## Run the embedded stack in the foreground; prints READY and its URLs
	@exec node deploy/local/src/stack/main.ts

# The stack in Docker. OBSERVABILITY=1 adds a collector, Prometheus, Tempo and Grafana.
ENGINES ?= 1
DASHBOARDS := --file deploy/observability/docker-compose.yml
COMPOSE := docker compose --project-name penstock --file docker-compose.yml
COMPOSE_UP := $(COMPOSE) $(if $(OBSERVABILITY),$(DASHBOARDS))

up: ## Run the full stack in Docker, with LocalStack; ENGINES=3 for three query engines, OBSERVABILITY=1 for dashboards
	$(COMPOSE_UP) up --build --detach --wait --scale query-engine=$(ENGINES)
	@echo "The REST API and MCP are at http://localhost:$$($(COMPOSE) port gateway 8080 | sed 's/.*://'), the console at /console there."
	@echo "PostgreSQL clients connect to localhost:$$($(COMPOSE) port postgres 5432 | sed 's/.*://')."
	@echo 'An operator makes a tenant with'
	@echo '  docker compose -p penstock exec auth node services/auth/src/admin/cli.ts tenant create --name Acme'

# With the dashboards' file whether they run or not: it names volumes of its own.
down: ## End what `make up` started; LocalStack forgets tenants and tables then. VOLUMES=1 removes all other data too
	$(COMPOSE) $(DASHBOARDS) down --remove-orphans $(if $(VOLUMES),--volumes)
	@echo 'LocalStack keeps nothing: tenants, schemas and usage counters are gone. deploy/README.md says how to keep them.'

logs: ## Follow the logs of what `make up` started, or all of them up to now into a pipe; SERVICE=gateway for one
	@if [ -t 1 ]; then follow='--follow --tail 100'; fi; $(COMPOSE) $(DASHBOARDS) logs $$follow $(SERVICE)

# One file or folder: make test TESTS=services/auth/test; one lane: make test LANE=stack
test: install ## Run every test (or TESTS=file or folder, LANE=unit, engine, process or stack); starts what they need
	@$(if $(TESTS),mocha --recursive '$(TESTS)',node gateway/test/lanes/main.ts $(if $(LANE),--lane $(LANE)))

test-fast: install ## Run the tests that start nothing
	@node gateway/test/lanes/main.ts --lane unit

# Each part says what it found; the first that fails ends it.
test-long: install ## Run everything in its long form: all lanes with whole budgets, chaos, faults, fuzzing, hostile bytes, units; hours
	@PENSTOCK_TEST_LONG=1 node gateway/test/lanes/main.ts
	@$(MAKE) --no-print-directory chaos chaos-streams fuzz check-faults check-hostile units screenshots

flakes: install ## Run a lane again and again beside two busy loops and list what failed how often: LANE=stack, COUNT=20
	@node gateway/test/lanes/flakes.ts --lane $(or $(LANE),stack) --count $(or $(COUNT),20) $(if $(TESTS),--tests '$(TESTS)')

chaos: install ## Kill parts at random under load: MINUTES=5, SEED=… repeats what a run did
	@node gateway/test/chaos/main.ts --minutes $(or $(MINUTES),5) $(if $(SEED),--seed $(SEED))

chaos-streams: install ## Kill parts at random while whole results are taken, and take some slowly: STREAMS=100, SLOW=60 seconds, SEED=…
	@node gateway/test/chaos/streams/main.ts --streams $(or $(STREAMS),100) --slow $(or $(SLOW),60) $(if $(SEED),--seed $(SEED))

check-faults: install ## Take the handling of each failure out and see its test fail: ONLY='Redis is away' for some
	@node gateway/test/chaos/handling/main.ts $(if $(ONLY),--only '$(ONLY)')

fuzz: install ## Send spoiled requests to everything that takes any: MINUTES=5, SEED=… repeats what a run did
	@node gateway/test/fuzz/main.ts --minutes $(or $(MINUTES),5) $(if $(SEED),--seed $(SEED))

check-hostile: install ## Hostile bytes to the PostgreSQL endpoint in their long form, and what 200 and 500 idle sessions cost
	@HOSTILE_TIMES=4 HOSTILE=100000 mocha gateway/test/postgres/process/hostile.stack.test.ts gateway/test/postgres/wire/message-stream.test.ts
	@for sessions in 200 500; do \
		IDLE_SESSIONS=$$sessions mocha gateway/test/postgres/process/idle-sessions.stack.test.ts || exit 1; done

slt: install ## Run sqllogictest scripts over REST: SLT='file or folder …', EVERY=10 takes every tenth query
	@node gateway/test/slt/main.ts --every $(or $(EVERY),1) $(or $(SLT),../shared/sqllogictest)

bench: install ## Measure against a program written by hand; BENCH=short takes a minute
	@node services/query-engine/bench/main.ts

check-postgres: install ## Real PostgreSQL clients, a million rows, all captured statements: ONLY=clients, COUNT=120, SEED=…
	@node gateway/test/postgres/clients/main.ts $(if $(ONLY),--only $(ONLY)) $(if $(COUNT),--count $(COUNT)) $(if $(SEED),--seed $(SEED))

check-engines: install ## Engines that read tables over PostgreSQL: polars, connectorx, ADBC, DuckDB, ClickHouse, dbt, Spark, Trino, Prisma
	@node gateway/test/postgres/clients/main.ts --only engines

units: install ## Run a generated workload beside the least units it could cost: QUERIES=20 of each kind, SEED=…, SHAPES=zipf,hot
	@node services/query-engine/test/engine/units/workload/main.ts

bench-auth: install ## Measure token calls: how many a second one core takes, and how late the slowest are
	@node services/auth/bench/main.ts

bench-console: install ## Measure the console: bytes of the first load, time until one can write, frames while rows scroll
	@node gateway/bench/console/main.ts

screenshots: install ## Picture every hosted page, console page and state of theirs: OUT=folder
	@node gateway/test/login/screenshots.ts $(or $(OUT),.penstock/screenshots)
	@node gateway/test/console/pictures/main.ts $(or $(OUT),.penstock/screenshots)/console

# Parts of `make check`, the longest first: each takes one core, so two run side by side.
CHECKS := check-lint check-boundaries check-format check-proto check-generated

check: install ## Lint, types, format, boundaries, protobuf, generated code
	@$(MAKE) --no-print-directory --jobs 2 $(CHECKS)

.PHONY: $(CHECKS)
# Types are checked by the run that lints by them: a program is read once for both.
check-lint:
	oxlint --type-aware --type-check --deny-warnings --report-unused-disable-directives gateway services deploy proto

check-boundaries:
	depcruise --config .dependency-cruiser.cjs gateway services deploy

check-format:
	oxfmt --check

check-proto:
	cd proto && buf lint && buf format -d --exit-code

# Fails when the committed generated code is not what the .proto files give.
check-generated:
	@rm -rf node_modules/.cache/penstock/generated && mkdir -p node_modules/.cache/penstock/generated
	@cp -r proto/. node_modules/.cache/penstock/generated/proto
	@node proto/tools/write-validate-proto.ts node_modules/.cache/penstock/generated/proto/buf/validate/validate.proto
	@cd node_modules/.cache/penstock/generated/proto && buf format -w . && \
		sed -i.old 's#\.\./services/common/src/gen#../gen#' buf.gen.yaml && buf generate
	@diff -r proto/buf node_modules/.cache/penstock/generated/proto/buf && \
		diff -r services/common/src/gen node_modules/.cache/penstock/generated/gen \
		|| { echo 'Generated code is stale: run `make proto` and commit the result.'; exit 1; }

format: install ## Format everything
	oxfmt
	cd proto && buf format -w .

proto: install ## Generate code from the .proto files
	node proto/tools/write-validate-proto.ts
	cd proto && buf format -w . && buf lint && buf generate

clean: ## Remove what was installed and stored here
	rm -rf node_modules .penstock gateway/dist
