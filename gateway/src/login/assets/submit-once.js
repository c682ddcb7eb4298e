// A second press on a button would give up the answer to the first: the browser would show what is said to a form that
// was sent twice instead of going back to the application.
(() => {
  'use strict';
  const sent = new WeakSet();
  document.addEventListener('submit', (event) => {
    if (event.defaultPrevented) return;
    if (sent.has(event.target)) event.preventDefault();
    sent.add(event.target);
  });
  // Back to a page that was kept as it was: its forms can be sent again.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) for (const form of document.forms) sent.delete(form);
  });
})();
