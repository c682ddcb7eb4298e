/** What a page shows of the server's: asked for when it is first needed, and again when that is wanted. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Page } from '../../../api/protocol.ts';
import { done, type Outcome, type Problem } from '../../net/outcome.ts';
import { ask } from '../../net/request.ts';

/** A list is read to its end, but no further than this. */
const PAGES_MAX = 200;

export interface Asked<T> {
  /** The latest that there is; it stays while it is asked for again, and when that fails. Null: none yet. */
  readonly value: T | null;
  /** Why the latest try gave nothing; null while none has failed. */
  readonly problem: Problem | null;
  readonly isLoading: boolean;
  /** Whether `value` is still that of the key before: it stays until the new one is there, so that nothing jumps. */
  readonly isOfBefore: boolean;
  /** When `value` came, in milliseconds since 1970. */
  readonly askedAt: number;
  /** Asks again; what is there stays meanwhile. */
  readonly again: () => Promise<void>;
  /** Puts in what a change was answered with. */
  readonly set: (value: T) => void;
}

interface State<T> {
  /** What `value` was asked for by. */
  readonly key: string | null;
  readonly value: T | null;
  readonly problem: Problem | null;
  readonly isLoading: boolean;
  readonly askedAt: number;
}

const EMPTY = Object.freeze({ key: null, value: null, problem: null, isLoading: true, askedAt: 0 });

/**
 * @param key what is asked for; when it changes, it is asked for anew. Null: nothing is wanted yet
 * @param load asks for it
 */
export function useAsked<T>(
  key: string | null,
  load: (key: string, signal: AbortSignal) => Promise<Outcome<T>>,
): Asked<T> {
  const [state, setState] = useState<State<T>>(EMPTY);
  const running = useRef<AbortController | null>(null);
  const again = useCallback(async (): Promise<void> => {
    running.current?.abort();
    if (key === null) return;
    const controller = new AbortController();
    running.current = controller;
    setState((before) => ({ ...before, isLoading: true }));
    const outcome = await load(key, controller.signal);
    if (controller.signal.aborted) return;
    setState((before) =>
      outcome.ok
        ? { key, value: outcome.value, problem: null, isLoading: false, askedAt: Date.now() }
        : { ...before, problem: outcome.problem, isLoading: false },
    );
  }, [key]);
  useEffect(() => {
    void again();
    return () => running.current?.abort();
  }, [again]);
  const set = useCallback(
    (value: T) => setState((before) => ({ ...before, value, problem: null, askedAt: Date.now() })),
    [],
  );
  const { value, problem, isLoading, askedAt } = state;
  return { value, problem, isLoading, isOfBefore: value !== null && state.key !== key, askedAt, again, set };
}

/** `data` of a path. */
export function usePath<T>(path: string | null): Asked<T> {
  return useAsked<T>(path, (key, signal) => ask<T>(key, { signal }));
}

/** All items of a list that comes in pages. */
export async function askAll<Item>(path: string, signal?: AbortSignal): Promise<Outcome<readonly Item[]>> {
  const items: Item[] = [];
  let next = path;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const outcome = await ask<Page<Item>>(next, signal === undefined ? {} : { signal });
    if (!outcome.ok) return outcome;
    items.push(...outcome.value.items);
    const { nextToken } = outcome.value;
    if (nextToken === undefined) break;
    next = `${path}${path.includes('?') ? '&' : '?'}nextToken=${encodeURIComponent(nextToken)}`;
  }
  return done(items);
}

/** All items of a list, for a page to show. */
export function useList<Item>(path: string | null): Asked<readonly Item[]> {
  return useAsked<readonly Item[]>(path, askAll);
}
