/**
 * What Compose makes of its files before it starts anything (https://docs.docker.com/reference/compose-file/):
 * variables are replaced, later files are merged over earlier ones, names must be defined. As far as our files go; what
 * they do not use is refused, so that nothing is read otherwise than Compose would.
 */

/** A service with variables replaced and files merged. */
export interface ComposeService {
  readonly image?: string;
  readonly build?: { readonly target?: string };
  readonly pull_policy?: string;
  readonly command?: readonly string[];
  /** Whom the image's entrypoint runs as; the image's own user where absent. */
  readonly user?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Docker's own first process, before the image's. */
  readonly init?: boolean;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly healthcheck?: {
    readonly test?: readonly string[];
    readonly interval?: string;
    readonly start_interval?: string;
  };
  readonly stop_grace_period?: string;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes?: Readonly<Record<string, unknown>>;
}

type Environment = Readonly<Record<string, string>>;

/** `${NAME}` and `${NAME:-default}`; `$$` is a dollar sign. */
const VARIABLE = /\$\$|\$\{(\w+)(?::-([^}]*))?\}|\$/g;

/** Replaces variables in every text of a parsed file. @throws Error at a form that is not known here */
export function interpolate(value: unknown, environment: Environment): unknown {
  if (typeof value === 'string')
    return value.replaceAll(VARIABLE, (form, name: string | undefined, otherwise: string | undefined) => {
      if (form === '$$') return '$';
      if (name === undefined)
        throw new Error(`A variable in this is not of a form that is known here: ${value}`);
      return environment[name] || (otherwise ?? '');
    });
  if (Array.isArray(value)) return value.map((inner) => interpolate(inner, environment));
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, interpolate(inner, environment)]),
  );
}

/** A later file over an earlier one: maps are merged, single values replaced. @throws Error where lists meet */
export function merge(earlier: unknown, later: unknown, path = ''): unknown {
  if (!isMap(earlier) || !isMap(later)) {
    if (Array.isArray(earlier))
      throw new Error(`Two files have the list ${path}: what becomes of it is not known here`);
    return later;
  }
  const merged: Record<string, unknown> = { ...earlier };
  for (const [key, value] of Object.entries(later))
    merged[key] = key in earlier ? merge(earlier[key], value, `${path}.${key}`) : value;
  return merged;
}

/** Services and volumes that are named and not defined. */
export function undefinedNames({ services, volumes = {} }: ComposeFile): readonly string[] {
  return Object.entries(services).flatMap(([name, service]) => {
    const { depends_on = [] } = service;
    const needed = Array.isArray(depends_on) ? (depends_on as readonly string[]) : Object.keys(depends_on);
    const mounted = (service.volumes ?? []).flatMap((volume) => /^([\w-]+):/.exec(volume)?.[1] ?? []);
    return [
      ...needed
        .filter((one) => !(one in services))
        .map((one) => `${name} depends on ${one}, which is no service`),
      ...mounted.filter((one) => !(one in volumes)).map((one) => `${name} mounts ${one}, which is no volume`),
    ];
  });
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
