import { hash, verify } from '@node-rs/argon2';
import { PASSWORD_HASH } from '../limits.ts';

/** argon2id (the package's default variant) in PHC form, salt and costs included. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, PASSWORD_HASH);
}

/** Throws where the stored hash is none. */
export function passwordMatches(storedHash: string, password: string): Promise<boolean> {
  return verify(storedHash, password);
}
