/** Runs `work` for each value, `concurrency` at a time; results in the order of the values. The first error is thrown. */
export async function eachOf<V, R>(
  values: readonly V[],
  concurrency: number,
  work: (value: V) => Promise<R>,
): Promise<readonly R[]> {
  const results = new Array<R>(values.length);
  const entries = values.entries();
  const worker = async (): Promise<void> => {
    for (const [index, value] of entries) results[index] = await work(value);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, values.length) }, worker));
  return results;
}
