import { z } from 'zod';
import { hashSecret } from '../tokens/secret.ts';
import { recordsIn } from './records.ts';
import type { AuthTable, ItemKey } from './table.ts';

const signInSchema = z.object({
  /**
   * `second-factor`: the password was right, and a second factor is to be enrolled. `anew`: another user than the one
   * who is signed in is going to sign in.
   */
  stage: z.enum(['anew', 'second-factor', 'signed-in']),
  /** Who, in which generation (see `accountIdOf`); undefined at `anew`. */
  accountId: z.string().optional(),
  /** Epoch seconds of that stage. */
  atS: z.number(),
  /** Which cookie and forms of the interaction are good (see `BrowserCookies`); changes when somebody signs in. */
  round: z.string().default(''),
});

/** How far a user has come in one interaction. */
export type SignIn = z.infer<typeof signInSchema>;

/** By interaction ID, of which only the hash is stored. */
export interface SignInStore {
  put(interactionId: string, signIn: SignIn, expiresAtS: number): Promise<void>;
  get(interactionId: string): Promise<SignIn | null>;
  remove(interactionId: string): Promise<void>;
}

export function createSignInStore(table: AuthTable): SignInStore {
  const records = recordsIn(table, signInSchema);
  const keyOf = (id: string): ItemKey => ({ pk: `SIGN_IN#${hashSecret(id)}`, sk: 'SIGN_IN' });
  return {
    put: (id, signIn, expiresAtS) => records.put(keyOf(id), signIn, expiresAtS),
    get: (id) => records.get(keyOf(id)),
    async remove(id) {
      await records.take(keyOf(id));
    },
  };
}
