import { isOffline } from '../net/connection.ts';

/** Keeps what the browser says of its way to others, from now on. */
export function watchConnection(): void {
  const look = (): void => {
    isOffline.value = !navigator.onLine;
  };
  look();
  for (const change of ['online', 'offline']) window.addEventListener(change, look);
}
