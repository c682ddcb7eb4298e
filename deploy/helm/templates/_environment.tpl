{{/*
The environment of a component, but for secrets. Called with a dict of root and name. What a component reads is its own
schema's, in its config.ts or settings.ts; a test holds this list against all of them. An empty value is left
out, so that the default of the code or of the image counts; `components.<name>.env` wins.
*/}}
{{- define "penstock.environment" -}}
{{- $settings := dict
  "PENSTOCK_LOG_LEVEL" "logLevel"
  "PENSTOCK_DRAIN_TIMEOUT_MS" "drainTimeoutMs"
  "PENSTOCK_BASE_URL" "baseUrl"
  "PENSTOCK_MCP_URL" "mcpUrl"
  "PENSTOCK_CONTROL_REGION" "controlRegion"
  "PENSTOCK_TABLE_PREFIX" "tablePrefix"
  "PENSTOCK_CREATE_TABLES" "createTables"
  "AWS_REGION" "controlRegion"
  "OTEL_EXPORTER_OTLP_ENDPOINT" "otlpEndpoint"
  "OTEL_TRACES_SAMPLER" "tracesSampler"
  "OTEL_TRACES_SAMPLER_ARG" "tracesSamplerArg" }}
{{- $rates := dict
  "PENSTOCK_RATE_LIMIT_RPS" "rateLimitRps"
  "PENSTOCK_RATE_LIMIT_BURST" "rateLimitBurst" }}
{{- $gateway := dict
  "PENSTOCK_TRUSTED_PROXIES" "trustedProxies"
  "PENSTOCK_MCP_ALLOWED_HOSTS" "mcpAllowedHosts"
  "PENSTOCK_MCP_ALLOWED_ORIGINS" "mcpAllowedOrigins"
  "PENSTOCK_SERVICE_ACCOUNT_ID" "serviceAccountId"
  "PENSTOCK_ROLE_TEMPLATE_URL" "roleTemplateUrl" }}
{{- $console := dict
  "PENSTOCK_CONSOLE_URL" "consoleUrl" }}
{{- $engine := dict
  "PENSTOCK_QUERY_WORKERS" "queryWorkers"
  "PENSTOCK_WORKER_MEMORY_MB" "workerMemoryMb"
  "PENSTOCK_QUERY_MEMORY_MB" "queryMemoryMb"
  "PENSTOCK_QUERY_TEMP_MB" "queryTempMb"
  "PENSTOCK_QUERY_THREADS" "queryThreads"
  "PENSTOCK_QUERY_CONCURRENCY" "queryConcurrency"
  "PENSTOCK_QUERY_SHORT_CONCURRENCY" "queryShortConcurrency"
  "PENSTOCK_QUERY_TENANT_SHARE" "queryTenantShare"
  "PENSTOCK_QUERY_QUEUE" "queryQueue"
  "PENSTOCK_ON_DEMAND_UNITS_PER_SECOND" "onDemandUnitsPerSecond"
  "UV_THREADPOOL_SIZE" "queryThreadPool" }}
{{- $roles := dict
  "PENSTOCK_ALLOW_OWN_ACCOUNT_ROLES" "allowOwnAccountRoles" }}
{{- $schemas := dict
  "PENSTOCK_TENANT_SCHEMAS_MAX" "tenantSchemasMax" }}
{{- $own := dict
  "postgres" (list $rates)
  "gateway" (list $rates $gateway $console)
  "auth" (list $rates $console)
  "schema-registry" (list $roles $schemas)
  "schema-worker" (list $roles)
  "query-engine" (list $roles $engine) }}
{{- range $more := default (list) (index $own .name) }}
  {{- $_ := merge $settings $more }}
{{- end }}
{{- $environment := dict
  "PENSTOCK_AUTH_TARGET" (include "penstock.target" (dict "root" .root "name" "auth"))
  "PENSTOCK_REGISTRY_TARGET" (include "penstock.target" (dict "root" .root "name" "schema-registry"))
  "PENSTOCK_USAGE_TARGET" (include "penstock.target" (dict "root" .root "name" "usage-metering"))
  "PENSTOCK_ENGINE_TARGET" (include "penstock.target" (dict "root" .root "name" "query-engine")) }}
{{- if eq .name "gateway" }}
  {{- $_ := set $environment "PENSTOCK_PORT" "8080" }}
{{- end }}
{{- if eq .name "postgres" }}
  {{- $_ := set $environment "PENSTOCK_PG_PORT" "5432" }}
  {{- $_ := set $environment "PENSTOCK_PG_TRUSTED_PROXIES" .root.Values.postgres.trustedProxies }}
  {{- if .root.Values.postgres.tlsSecretName }}
    {{- $_ := set $environment "PENSTOCK_PG_TLS_CERT" "/etc/penstock/postgres-tls/tls.crt" }}
    {{- $_ := set $environment "PENSTOCK_PG_TLS_KEY" "/etc/penstock/postgres-tls/tls.key" }}
  {{- else if .root.Values.postgres.tlsInFront }}
    {{- $_ := set $environment "PENSTOCK_PG_TLS_IN_FRONT" "true" }}
  {{- else }}
    {{- $isExposed := ne .root.Values.postgres.serviceType "ClusterIP" }}
    {{- if or $isExposed .root.Values.networkPolicy.postgresFrom }}
      {{- fail "PostgreSQL clients can reach the endpoint, and nothing encrypts what they say: name a Secret with a certificate in postgres.tlsSecretName, or set postgres.tlsInFront where something in front does TLS" }}
    {{- end }}
  {{- end }}
{{- end }}
{{- $values := .root.Values.settings }}
{{- range $variable, $key := $settings }}
  {{- $_ := set $environment $variable (include "penstock.text" (index $values $key)) }}
{{- end }}
{{- $component := index .root.Values.components .name }}
{{- range $variable, $value := default (dict) $component.env }}
  {{- $_ := set $environment $variable (include "penstock.text" $value) }}
{{- end }}
{{- range $variable, $value := $environment }}
{{- if ne $value "" }}
- name: {{ $variable }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{/* A value as text. Helm reads every number of a file as a float, which would print 1048576 as 1.048576e+06. */}}
{{- define "penstock.text" -}}
{{- if kindIs "invalid" . }}
{{- else if kindIs "float64" . }}
{{- if eq (floor .) . }}{{ int64 . }}{{ else }}{{ . }}{{ end }}
{{- else }}{{ . }}
{{- end }}
{{- end -}}

{{/* A variable that a key of the Secret holds. */}}
{{- define "penstock.secretEnv" -}}
- name: {{ .variable }}
  valueFrom:
    secretKeyRef:
      name: {{ .root.Values.secrets.name }}
      key: {{ .key }}
      {{- if .optional }}
      optional: true
      {{- end }}
{{- end -}}
