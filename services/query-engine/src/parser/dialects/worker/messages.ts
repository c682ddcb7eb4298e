import type { Translation } from '../translations-of.ts';

/** What the worker is asked. */
export interface TranslationRequest {
  readonly id: number;
  readonly sql: string;
}

/** What it answers; `ready` once, before anything else. */
export type TranslationAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'translated'; readonly id: number; readonly translations: readonly Translation[] };
