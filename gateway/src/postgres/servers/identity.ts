/** Under which user servers run: PostgreSQL refuses to run as root. */
export interface ServerIdentity {
  readonly uid: number;
  readonly gid: number;
}

/** `nobody`, whom every system has; null where this process is nobody special, and servers run as it does. */
export function serverIdentity(): ServerIdentity | null {
  return process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null;
}
