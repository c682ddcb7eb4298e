/** What the endpoint and the processes that run statements over the catalogs say to each other. */
import type { PgErrorFields } from '../../errors/pg-error.ts';
import type { CatalogResult, CatalogTables, Classified } from '../catalog.ts';
import type { CatalogStatement, Described, NewSetting } from '../execution/catalog-engine.ts';

export type Kind = 'classify' | 'describe' | 'run';

export interface Classifying {
  readonly kind: 'classify';
  readonly sql: string;
}

export interface Answering<K extends Kind = 'describe' | 'run'> extends CatalogStatement {
  readonly kind: K;
  /** Of the tenant's tables that the statement is to see; null: it sees none, so any will do. */
  readonly version: string | null;
}

export type Work = Classifying | Answering;

export interface Answers {
  readonly classify: { readonly kind: 'classify'; readonly classified: Classified };
  readonly describe: { readonly kind: 'describe'; readonly described: Described };
  readonly run: {
    readonly kind: 'run';
    readonly result: CatalogResult;
    readonly settings: readonly NewSetting[];
  };
}

export type AnswerOf<K extends Kind> = Answers[K];
export type Answer = AnswerOf<Kind>;

export type ToWorker =
  | { readonly kind: 'work'; readonly id: number; readonly work: Work }
  /** Whatever was asked for waits for these. */
  | { readonly kind: 'tables'; readonly id: number; readonly tables: CatalogTables }
  | { readonly kind: 'interrupt'; readonly id: number };

/** `isLarge`: it has taken so much memory that another one had better do the next. */
export type FromWorker =
  | { readonly kind: 'ready' }
  /** It takes up what it was asked for. */
  | { readonly kind: 'begun'; readonly id: number }
  /** It holds no tables of that version. */
  | { readonly kind: 'needsTables'; readonly id: number }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer; readonly isLarge: boolean }
  /** Without fields: not the statement's fault. */
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly fields: PgErrorFields | null;
      readonly text: string;
      readonly isLarge: boolean;
      /** What comes next in this process is not to be trusted. */
      readonly isBroken: boolean;
    };
