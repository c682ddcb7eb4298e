/** The clients that are tried besides psql and node-postgres: the system's, or Debian's packages unpacked without root. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { libraryFolder, unpackDebianPackages } from '../../../../deploy/local/src/debian/unpack.ts';

const run = promisify(execFile);

const CACHE_DIR = join(import.meta.dirname, '../../../../node_modules/.cache/penstock/postgres-clients');
const STEP_MS_MAX = 300_000;

const PACKAGES = [
  ...['python3-psycopg', 'python3-psycopg2', 'python3-sqlalchemy', 'python3-pandas'],
  ...['python3-asyncpg', 'python3-django', 'libdbd-pg-perl'],
  ...['odbc-postgresql', 'unixodbc', 'libpostgresql-jdbc-java'],
  ...['ruby', 'ruby-activerecord', 'ruby-minitest', 'ruby-pg', 'postgresql-15'],
];
/** Other packages are unpacked anew. */
const PACKAGES_DIR = join(CACHE_DIR, createHash('sha256').update(PACKAGES.join()).digest('hex').slice(0, 12));
const ROOT = join(PACKAGES_DIR, 'root');

export interface Program {
  readonly path: string;
  /** What stands before a program's own arguments. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A client, or why there is none. */
export type Found<T> = { readonly client: T } | { readonly missing: string };

let unpacked: Promise<string> | null = null;

const root = (): Promise<string> =>
  (unpacked ??= existsSync(ROOT)
    ? Promise.resolve(ROOT)
    : unpackDebianPackages({
        ...{ names: PACKAGES, withDependencies: true, cacheDir: PACKAGES_DIR },
        ...{ updateMsMax: STEP_MS_MAX, stepMsMax: STEP_MS_MAX },
      }));

const reason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).trim().split('\n').at(-1) ?? '';

async function found<T>(find: () => Promise<T>): Promise<Found<T>> {
  try {
    return { client: await find() };
  } catch (error) {
    return { missing: reason(error) };
  }
}

/** Numbers need their libraries from folders that a system's installation would link to. */
function librariesOf(folder: string): string {
  const libraries = libraryFolder(folder);
  return [libraries, join(libraries, 'blas'), join(libraries, 'lapack')].join(delimiter);
}

/** Debian's Python with the modules; its packages go with no other. */
export const findPython = (): Promise<Found<Program>> =>
  found(async () => {
    const path = '/usr/bin/python3';
    const imports = ['-c', 'import psycopg, psycopg2, sqlalchemy, pandas, asyncpg, django'];
    const has = await run(path, imports).then(
      () => true,
      () => false,
    );
    if (has) return { path, args: [], env: {} };
    const folder = await root();
    const env = {
      PYTHONPATH: join(folder, 'usr/lib/python3/dist-packages'),
      LD_LIBRARY_PATH: librariesOf(folder),
      PYTHONDONTWRITEBYTECODE: '1',
    };
    await run(path, imports, { env });
    return { path, args: [], env };
  });

/** Debian's Perl with DBI and DBD::Pg. */
export const findPerl = (): Promise<Found<Program>> =>
  found(async () => {
    const path = '/usr/bin/perl';
    const uses = ['-e', 'use DBI; use DBD::Pg;'];
    const has = await run(path, uses).then(
      () => true,
      () => false,
    );
    if (has) return { path, args: [], env: {} };
    const folder = await root();
    const libraries = libraryFolder(folder);
    const { stdout: version } = await run(path, ['-MConfig', '-e', 'print $Config{vendorarch}']);
    const env = {
      PERL5LIB: [join(folder, version), join(folder, 'usr/share/perl5')].join(delimiter),
      LD_LIBRARY_PATH: libraries,
    };
    await run(path, uses, { env });
    return { path, args: [], env };
  });

/** Debian's Ruby with ActiveRecord and its driver. */
export const findRuby = (): Promise<Found<Program>> =>
  found(async () => {
    const requires = ['-e', "require 'active_record'; require 'pg'"];
    const has = await run('/usr/bin/ruby', requires).then(
      () => true,
      () => false,
    );
    if (has) return { path: '/usr/bin/ruby', args: [], env: {} };
    const folder = await root();
    const ruby = join(folder, 'usr/lib/ruby');
    const libraries = libraryFolder(folder);
    const versions = [join(ruby, '3.1.0'), join(libraries, 'ruby/3.1.0')];
    const vendored = [
      join(ruby, 'vendor_ruby'),
      join(ruby, 'vendor_ruby/3.1.0'),
      join(libraries, 'ruby/vendor_ruby/3.1.0'),
    ];
    const gems = join(folder, 'usr/share/rubygems-integration');
    const env = {
      RUBYLIB: [...vendored, ...versions].join(delimiter),
      GEM_PATH: [join(gems, 'all'), join(gems, '3.1.0')].join(delimiter),
      LD_LIBRARY_PATH: libraries,
    };
    const path = join(folder, 'usr/bin/ruby3.1');
    await run(path, requires, { env });
    return { path, args: [], env };
  });

/** Debian's PostgreSQL, whose programs are in the folder `path`. */
export const findServer = (): Promise<Found<Program>> =>
  found(async () => {
    const own = '/usr/lib/postgresql/15/bin';
    if (existsSync(join(own, 'postgres'))) return { path: own, args: [], env: {} };
    const folder = await root();
    const path = join(folder, own);
    const env = { LD_LIBRARY_PATH: libraryFolder(folder) };
    await run(join(path, 'postgres'), ['--version'], { env });
    return { path, args: [], env };
  });

async function findJar(): Promise<string> {
  const own = '/usr/share/java/postgresql.jar';
  return existsSync(own) ? own : join(await root(), own);
}

/** Java with pgjdbc and our programs, compiled. */
export const findJava = (sources: readonly string[]): Promise<Found<Program>> =>
  found(async () => {
    await Promise.all([run('java', ['-version']), run('javac', ['-version'])]).catch(() => {
      throw new Error('there is no `java` and `javac` on the PATH: install default-jdk-headless');
    });
    const jar = await findJar();
    const classes = join(CACHE_DIR, 'classes');
    await mkdir(classes, { recursive: true });
    await run('javac', ['-cp', jar, '-d', classes, ...sources]);
    return { path: 'java', args: ['-Xmx256m', '-cp', [jar, classes].join(delimiter)], env: {} };
  });

const ENGINES = join(import.meta.dirname, 'engines');
const ENGINES_MS_MAX = 1_800_000;

/**
 * Python with engines that read tables of others, from Python's own packages: a gigabyte, most of it Spark's. `jar`: pgjdbc's,
 * null where there is no Java.
 */
export const findEngines = (): Promise<Found<Program & { readonly jar: string | null }>> =>
  found(async () => {
    const wanted = await readFile(join(ENGINES, 'requirements.txt'), 'utf8');
    const version = createHash('sha256').update(wanted).digest('hex').slice(0, 12);
    const folder = join(CACHE_DIR, `engines-${version}`);
    const path = join(folder, 'bin/python3');
    const isComplete = join(folder, 'complete');
    if (!existsSync(isComplete)) {
      await run('python3', ['-m', 'venv', '--clear', folder]);
      const install = ['-m', 'pip', 'install', '--quiet', '-r', join(ENGINES, 'requirements.txt')];
      await run(path, install, { timeout: ENGINES_MS_MAX });
      await writeFile(isComplete, '');
    }
    const jar = await findJar().catch(() => null);
    return {
      path,
      args: [],
      env: { HOME: process.env['HOME'] ?? '', ...(jar === null ? {} : { PGJDBC: jar }) },
      jar,
    };
  });

const TRINO = '476';
/** The connector, and what has a type that it asks for. */
const TRINO_PLUGINS = ['postgresql', 'geospatial'];
/** Of the Java that it needs. */
const TRINO_JAVA_MIN = 24;

/** The folder of a Java that is new enough. */
async function findNewJava(): Promise<string> {
  const own = process.env['JAVA_HOME'];
  const others = await readdir('/usr/lib/jvm').catch(() => []);
  const homes = [...(own === undefined ? [] : [own]), ...others.map((name) => join('/usr/lib/jvm', name))];
  for (const home of homes) {
    const java = join(home, 'bin/java');
    if (!existsSync(java)) continue;
    const { stderr } = await run(java, ['-version']);
    if (Number(/version "(\d+)/.exec(stderr)?.[1]) >= TRINO_JAVA_MIN) return home;
  }
  throw new Error(`there is no Java ${TRINO_JAVA_MIN} or newer`);
}

/** Trino with its PostgreSQL connector, from Maven's repository, and a Python to ask it. */
export const findTrino = (): Promise<Found<Program>> =>
  found(async () => {
    const java = await findNewJava();
    const folder = join(CACHE_DIR, `trino-${TRINO}`);
    const home = join(folder, `trino-server-${TRINO}`);
    if (!existsSync(home)) {
      await mkdir(folder, { recursive: true });
      const artifact = `-Dartifact=io.trino:trino-server:${TRINO}:tar.gz`;
      const copy = ['-q', 'dependency:copy', artifact, `-DoutputDirectory=${folder}`];
      await run('mvn', copy, { cwd: folder, timeout: ENGINES_MS_MAX });
      const archive = join(folder, `trino-server-${TRINO}.tar.gz`);
      // Whole: files of one plugin are links to those of others.
      await run('tar', ['xzf', archive, '-C', folder], { timeout: ENGINES_MS_MAX });
      const plugins = await readdir(join(home, 'plugin'));
      for (const plugin of plugins.filter((name) => !TRINO_PLUGINS.includes(name)))
        await rm(join(home, 'plugin', plugin), { recursive: true });
      await rm(archive);
    }
    const env = {
      TRINO_HOME: home,
      JAVA_HOME: java,
      PATH: [join(java, 'bin'), process.env['PATH']].join(delimiter),
    };
    return { path: 'python3', args: [join(ENGINES, 'trino.py')], env };
  });

const PRISMA = join(ENGINES, 'prisma');

/** Node.js with Prisma's client, from npm, made for the tables of `tables.ts`. */
export const findPrisma = (): Promise<Found<Program>> =>
  found(async () => {
    const names = ['package.json', 'schema.prisma', 'prisma.config.mjs', 'checks.mjs'];
    const texts = await Promise.all(names.map((name) => readFile(join(PRISMA, name))));
    const version = createHash('sha256').update(Buffer.concat(texts)).digest('hex').slice(0, 12);
    const folder = join(CACHE_DIR, `prisma-${version}`);
    if (!existsSync(join(folder, 'generated'))) {
      await mkdir(folder, { recursive: true });
      await Promise.all(names.map((name) => copyFile(join(PRISMA, name), join(folder, name))));
      // Its program that changes schemas is for no one who only reads, and comes from elsewhere.
      const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true' };
      await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
        cwd: folder,
        timeout: ENGINES_MS_MAX,
      });
      await run(join(folder, 'node_modules/.bin/prisma'), ['generate'], { cwd: folder, env });
    }
    return { path: process.execPath, args: [join(folder, 'checks.mjs')], env: {} };
  });

export interface Odbc extends Program {
  readonly driver: string;
}

export const findOdbc = (): Promise<Found<Odbc>> =>
  found(async () => {
    const folder = await root();
    return {
      path: join(folder, 'usr/bin/isql'),
      args: [],
      env: { LD_LIBRARY_PATH: libraryFolder(folder) },
      driver: join(libraryFolder(folder), 'odbc/psqlodbcw.so'),
    };
  });
