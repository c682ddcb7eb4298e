import { hash } from '@node-rs/argon2';
import { passwordHash } from '../limits.ts';

/** argon2id (the package's default variant) in PHC form, salt and costs included. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, passwordHash);
}
