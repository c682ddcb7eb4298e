/** What the texts begin with that a regular expression (RE2) matches. */
import type { Beginning } from '../rule.ts';

/** Characters of a pattern that is looked at. */
const PATTERN_LENGTH_MAX = 1000;
/** Ways to begin that are told apart. */
const ALTERNATIVES_MAX = 100;
/** What makes one of the character before it that may be none. */
const OPTIONAL = new Set(['*', '?', '{']);
/** Those with which a pattern means the same; with others, letters have no case or lines have beginnings. */
export const PLAIN_OPTIONS = /^[cs]*$/;
const META = new Set([...'.^$|()[]{}*+?']);
/** An escape of such a character is the character; those of letters and digits mean others. */
const ESCAPED = /^[!-/:-@[-`{-~]$/;

/** What a part of a pattern begins with, and what comes behind that: anything, what follows the part, or nothing. */
interface Start {
  readonly text: string;
  readonly behind: 'anything' | 'what follows' | 'nothing';
}

/**
 * The beginnings of the texts that a pattern finds itself in: each text has one of them. Null where a match may begin
 * anywhere, or with anything.
 */
export function regexBeginnings(pattern: string): readonly Beginning[] | null {
  if (pattern.length > PATTERN_LENGTH_MAX) return null;
  const starts = startsOfAny(pattern, (one) => (one.startsWith('^') ? startsOf(one.slice(1)) : null));
  if (starts === null || starts.some(({ text }) => text === '')) return null;
  return starts.map(({ text, behind }) => ({ text, isWhole: behind === 'nothing' }));
}

/**
 * The groups of a pattern that are at the start of each text that it matches: 0, the whole match, where it begins with `^`, and
 * 1 where that is all that stands before the first group. Null where a match may begin elsewhere.
 */
export function startOfMatch(pattern: string): readonly number[] | null {
  const alternatives = pattern.length > PATTERN_LENGTH_MAX ? null : alternativesIn(pattern);
  if (alternatives === null || !alternatives.every((one) => /^\^(?![*?{])/.test(one))) return null;
  const body = pattern.slice(1);
  if (alternatives.length > 1 || !/^\((?!\?)/.test(body)) return [0];
  const behind = body.charAt(endOfGroup(body) + 1);
  return OPTIONAL.has(behind) || behind === '+' ? [0] : [0, 1];
}

/** Of each alternative. */
function startsOfAny(
  pattern: string,
  ofOne: (alternative: string) => readonly Start[] | null,
): readonly Start[] | null {
  const alternatives = alternativesIn(pattern);
  if (alternatives === null || alternatives.length > ALTERNATIVES_MAX) return null;
  const all = alternatives.map(ofOne);
  return all.every((one) => one !== null) ? all.flat() : null;
}

/** Characters that stand for themselves and groups of such, from the left to what may be something else. */
function startsOf(pattern: string): readonly Start[] | null {
  const ended: Start[] = [];
  let open: readonly string[] = [''];
  let at = 0;
  while (at < pattern.length) {
    const step = characterAt(pattern, at) ?? groupAt(pattern, at);
    if (step === null || OPTIONAL.has(pattern.charAt(step.end))) break;
    const grown = open.flatMap((before) => step.starts.map((one) => ({ ...one, text: before + one.text })));
    ended.push(
      ...grown.flatMap(({ text, behind }) =>
        behind === 'what follows' ? [] : [{ text, behind: 'anything' } as const],
      ),
    );
    open = grown.flatMap(({ text, behind }) => (behind === 'what follows' ? [text] : []));
    if (ended.length + open.length > ALTERNATIVES_MAX) return null;
    at = step.end;
    if (pattern.charAt(at) === '+') break;
  }
  const isEnd = pattern.charAt(at) === '$' && at === pattern.length - 1;
  const behind = at === pattern.length ? 'what follows' : isEnd ? 'nothing' : 'anything';
  return [...ended, ...open.map((text) => ({ text, behind }) as const)];
}

interface Step {
  readonly starts: readonly Start[];
  /** The place behind it. */
  readonly end: number;
}

function characterAt(pattern: string, at: number): Step | null {
  const isEscaped = pattern.charAt(at) === '\\';
  const place = isEscaped ? at + 1 : at;
  const text = String.fromCodePoint(pattern.codePointAt(place) ?? 0);
  if (place >= pattern.length || (isEscaped ? !ESCAPED.test(text) : META.has(text))) return null;
  return { starts: [{ text, behind: 'what follows' }], end: place + text.length };
}

function groupAt(pattern: string, at: number): Step | null {
  const opening = /^\((?:\?:)?/.exec(pattern.slice(at, at + 3))?.[0];
  if (opening === undefined) return null;
  const end = endOfGroup(pattern.slice(at));
  const starts = end < 0 ? null : startsOfAny(pattern.slice(at + opening.length, at + end), startsOf);
  return starts === null ? null : { starts, end: at + end + 1 };
}

/** The place of the bracket that closes the group at the start; -1 where it is not known. */
function endOfGroup(body: string): number {
  let end = -1;
  walk(body, (at, depth) => {
    if (end < 0 && depth === 0 && body.charAt(at) === ')') end = at;
  });
  return end;
}

/** The alternatives of a pattern that are in no group; null for a pattern that cannot be cut for sure. */
function alternativesIn(pattern: string): readonly string[] | null {
  const found: string[] = [];
  let from = 0;
  const isKnown = walk(pattern, (at, depth) => {
    if (depth !== 0 || pattern.charAt(at) !== '|') return;
    found.push(pattern.slice(from, at));
    from = at + 1;
  });
  return isKnown ? [...found, pattern.slice(from)] : null;
}

/** Visits what is neither escaped nor in a set, with how many groups it is in; false where that is not known. */
function walk(pattern: string, visit: (at: number, depth: number) => void): boolean {
  let depth = 0;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    if (character === '\\') {
      // What is between \Q and \E is plain.
      if (pattern.charAt(at + 1) === 'Q') return false;
      at++;
    } else if (character === '[') {
      const end = endOfSet(pattern, at);
      if (end < 0) return false;
      at = end;
    } else {
      if (character === '(') depth++;
      if (character === ')') depth--;
      if (depth < 0) return false;
      visit(at, depth);
    }
  }
  return depth === 0;
}

/** A bracket that comes first in a set is one of its characters; sets within are named, as [:alpha:]. */
function endOfSet(pattern: string, start: number): number {
  let at = start + 1;
  if (pattern.charAt(at) === '^') at++;
  if (pattern.charAt(at) === ']') at++;
  for (; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    if (character === ']') return at;
    if (character === '\\') at++;
    else if (character === '[') {
      const named = /^\[:\^?[a-z]+:\]/.exec(pattern.slice(at, at + 16))?.[0];
      if (named === undefined) return -1;
      at += named.length - 1;
    }
  }
  return -1;
}
