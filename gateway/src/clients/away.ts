/** The problem that /readyz names while services cannot be reached; null where all can. The gateway answers what it can without them. */
export function awayProblem(services: readonly string[]): string | null {
  return services.length === 0 ? null : `Cannot be reached: ${[...new Set(services)].join(', ')}`;
}
