/** The Query page. */
export function QueryPage() {
  return (
    <div class="query-page">
      <h1 class="sr-only">Query</h1>
    </div>
  );
}
