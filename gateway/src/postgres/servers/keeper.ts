/**
 * Ends servers whose owner is gone. PostgreSQL does not notice a parent that is killed, and whatever a parent does at its
 * end does not happen then. So a shell of a few hundred kilobytes waits for the end of a pipe that the owner holds open: the
 * system closes it, whatever the owner dies of. If the shell is killed too, the next start removes what is left over.
 */
import { spawn } from 'node:child_process';
import type { ServerIdentity } from './identity.ts';

/** Only what bash does by itself, since an image has no other programs: there the next start removes the folder. */
const SCRIPT = `
trap '' INT TERM HUP
while read -r line; do :; done
for file in "$1"/*/data/postmaster.pid; do
  [[ -r $file ]] && read -r pid <"$file" || continue
  if [[ -r /proc/$pid/cmdline ]]; then
    words=
    while IFS= read -r -d '' word; do words+=" $word"; done </proc/$pid/cmdline
    [[ $words == *"$1"* ]] || continue
  fi
  kill -QUIT "$pid"
done
for try in 1 2 3; do rm -rf "$1" 2>/dev/null && break; done`;

export interface Keeper {
  /** Its owner ends its servers itself. */
  close(): void;
}

export function startKeeper(folder: string, identity: ServerIdentity | null): Keeper {
  const child = spawn('bash', ['-c', SCRIPT, 'penstock-keeper', folder], {
    ...identity,
    cwd: '/',
    env: { PATH: process.env['PATH'] },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without it, servers of an owner that is killed stay until the next start.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  (child.stdin as unknown as { unref?: () => void }).unref?.();
  return {
    close() {
      child.kill('SIGKILL');
      child.stdin.destroy();
    },
  };
}
