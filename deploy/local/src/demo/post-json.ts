const TIMEOUT_MS = 60_000;

/**
 * POSTs JSON and returns the parsed answer.
 * @throws Error with what the service said when `success` is not true
 */
export async function postJson<Answer>(url: string, token: string | null, body: unknown): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  const answer = JSON.parse(text) as { success?: boolean };
  if (answer.success !== true) throw new Error(`${url} answered ${response.status}: ${text}`);
  return answer as Answer;
}
