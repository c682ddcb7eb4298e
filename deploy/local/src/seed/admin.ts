import { runCommand } from '../../../../services/auth/src/admin/run-command.ts';

/**
 * Runs a command of the operator's against a running stack, and gives what the admin CLI would print. In this process,
 * since a stack is given many tenants and the CLI takes half a second of a processor to start.
 *
 * @param dataDir of the stack, where the CLI finds its address and operator token
 * @throws Error with the CLI's own message
 */
export async function admin<Answer>(dataDir: string, ...args: readonly string[]): Promise<Answer> {
  return (await runCommand(args, { PENSTOCK_DATA_DIR: dataDir })) as Answer;
}
