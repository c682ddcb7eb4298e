/** The editor: the statement in it is `text`, both ways. Each tab has its own state of it. */
import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
  completionStatus,
  moveCompletionSelection,
  selectedCompletionIndex,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { PostgreSQL, schemaCompletionSource, SQLDialect, sql } from '@codemirror/lang-sql';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { Compartment, EditorState, Prec, StateEffect, StateField, type Extension } from '@codemirror/state';
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import { effect, type ReadonlySignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { CatalogTable } from '../../../../api/catalog.ts';
import type { SqlReference } from '../../../../api/sql-reference.ts';
import { isCatalogKnown } from '../../common/catalog.ts';
import { reference, tables } from '../catalog.ts';
import { whenIdle } from '../../../components/when-idle.ts';
import { insertion, openings } from '../open.ts';
import { shownTab, tabs as openTabs } from '../tabs/open-tabs.ts';
import { text } from '../text.ts';
import {
  columnSource,
  functionSource,
  keywordSource,
  schemaNamespace,
  whereNamesStand,
} from './completion.ts';
import { highlighting } from './highlight.ts';

export interface EditorActions {
  readonly onRun: () => void;
  /** @returns whether there was something to stop */
  readonly onStop: () => boolean;
  /** Applies the first suggestion, if there is one. */
  readonly onApply: () => boolean;
}

interface EditorProps extends EditorActions {
  readonly diagnostics: ReadonlySignal<readonly Diagnostic[]>;
  /** What is selected, or null. */
  readonly onSelect: (selection: { readonly from: number; readonly to: number } | null) => void;
}

function dialectOf({ keywords, functions }: SqlReference): SQLDialect {
  if (keywords.length === 0) return PostgreSQL;
  return SQLDialect.define({
    keywords: keywords.join(' ').toLowerCase(),
    builtin: functions
      .map(({ name }) => name)
      .join(' ')
      .toLowerCase(),
    types: 'varchar bigint integer double decimal boolean date timestamp timestamptz time interval json blob',
    doubleQuotedStrings: false,
    operatorChars: '*+-%<>!=&|~^/?:',
    specialVar: '',
  });
}

function language(known: readonly CatalogTable[], said: SqlReference): Extension {
  const dialect = dialectOf(said);
  return [
    sql({ dialect, upperCaseKeywords: true }),
    autocompletion({
      override: [
        schemaCompletionSource({ dialect, schema: schemaNamespace(known) }),
        columnSource(() => known),
        functionSource(() => said.functions),
        keywordSource(dialect),
      ].map(whereNamesStand),
      icons: false,
      // Enter begins a line: it takes what is offered only where an arrow has chosen it.
      selectOnOpen: false,
      filterStrict: true,
    }),
  ];
}

/** Takes what is chosen of what is offered, else the first. */
function takeOffered(view: EditorView): boolean {
  if (completionStatus(view.state) !== 'active') return false;
  if (selectedCompletionIndex(view.state) === null) moveCompletionSelection(true)(view);
  return acceptCompletion(view);
}

/** Whoever runs the statement, or presses Escape, wants nothing completed that they typed before. */
const typed = StateEffect.define();

/** Whether the last that happened to the text was that somebody typed. */
const typing = StateField.define<boolean>({
  create: () => false,
  update: (was, transaction) =>
    transaction.isUserEvent('input.type') ||
    (was &&
      !transaction.docChanged &&
      transaction.selection === undefined &&
      !transaction.effects.some((effect) => effect.is(typed))),
});

/** Whether what was typed would be completed, had it been known what with. */
function waitsForCompletion({ hasFocus, state }: EditorView): boolean {
  if (!hasFocus || !state.field(typing)) return false;
  const { head } = state.selection.main;
  return /[\p{L}\p{N}_.]/u.test(state.sliceDoc(Math.max(0, head - 1), head));
}

/** The document's nonce: the policy takes the editor's style sheets with it only. */
const nonce = (): string => document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

interface Compartments {
  /** The language, which changes with the tables that are known. */
  readonly changing: Compartment;
  /** Finding and replacing, which comes when all else is there. */
  readonly finding: Compartment;
}

function extensionsOf(
  { onRun, onStop, onApply, onSelect }: EditorProps,
  { changing, finding }: Compartments,
): Extension {
  const run = (view: EditorView): boolean => {
    closeCompletion(view);
    view.dispatch({ effects: typed.of(null) });
    onRun();
    return true;
  };
  const stop = (view: EditorView): boolean => {
    view.dispatch({ effects: typed.of(null) });
    return completionStatus(view.state) !== 'active' && onStop();
  };
  return [
    EditorView.cspNonce.of(nonce()),
    Prec.highest(
      keymap.of([
        { key: 'Mod-Enter', run },
        { key: 'Escape', run: stop },
        { key: 'Mod-.', run: onApply },
      ]),
    ),
    lineNumbers(),
    highlightSpecialChars({
      addSpecialChars: /[\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff]/g,
    }),
    history(),
    drawSelection(),
    dropCursor(),
    EditorState.allowMultipleSelections.of(true),
    EditorView.lineWrapping,
    EditorView.perLineTextDirection.of(true),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    placeholder('SELECT …'),
    finding.of([]),
    // The tab key goes on to the next thing of the page, but for what is offered for completion.
    keymap.of([
      ...closeBracketsKeymap,
      { key: 'Tab', run: takeOffered },
      ...completionKeymap,
      ...historyKeymap,
      ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
    ]),
    typing,
    changing.of(language(tables.peek(), reference.peek())),
    highlighting,
    EditorView.contentAttributes.of({
      'aria-label': 'SQL. Control-Enter runs it, Escape stops.',
      spellcheck: 'false',
      autocorrect: 'off',
      autocapitalize: 'off',
    }),
    EditorView.updateListener.of(({ state, docChanged, selectionSet }) => {
      if (docChanged) text.value = state.doc.toString();
      if (!docChanged && !selectionSet) return;
      const { from, to } = state.selection.main;
      onSelect(from === to ? null : { from, to });
    }),
  ];
}

/** What is to be written where, so that what stays keeps its selection and can be undone in one step. */
function changeBetween(has: string, wanted: string): { from: number; to: number; insert: string } | null {
  if (has === wanted) return null;
  const shorter = Math.min(has.length, wanted.length);
  let from = 0;
  while (from < shorter && has[from] === wanted[from]) from += 1;
  let same = 0;
  while (same < shorter - from && has.at(-1 - same) === wanted.at(-1 - same)) same += 1;
  return { from, to: has.length - same, insert: wanted.slice(from, wanted.length - same) };
}

const CLOSING_FRAMES_MAX = 30;

/** Once the dialog that a statement was opened from has closed, and has given the focus back. */
function focusWithoutDialog(focus: () => void, frames = CLOSING_FRAMES_MAX): void {
  requestAnimationFrame(() => {
    if (document.querySelector('dialog[open]') === null) focus();
    else if (frames > 0) focusWithoutDialog(focus, frames - 1);
  });
}

export function Editor(props: EditorProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null) return;
    let isShown = true;
    const changing = new Compartment();
    const finding = new Compartment();
    const extensions = extensionsOf(props, { changing, finding });
    const begin = (doc: string): EditorState => EditorState.create({ doc, extensions });
    const view = new EditorView({ state: begin(text.peek()), parent: place.current });
    let tab = shownTab.peek();
    /** Of the tabs that are not shown: what was selected in each, and what can be undone. */
    const states = new Map<string, EditorState>();
    let found: Extension = [];
    const mark = (diagnostics: readonly Diagnostic[]): void => {
      const marks = diagnostics.filter(({ to }) => to <= view.state.doc.length);
      view.dispatch(setDiagnostics(view.state, marks));
    };
    const turnTo = (next: typeof tab): void => {
      const isOpen = openTabs.peek().includes(tab);
      if (isOpen) states.set(tab.id, view.state);
      view.setState(states.get(next.id) ?? begin(next.text.peek()));
      states.delete(next.id);
      tab = next;
      const speaks = changing.reconfigure(language(tables.peek(), reference.peek()));
      view.dispatch({ effects: [speaks, finding.reconfigure(found)] });
      mark(props.diagnostics.peek());
      const { from, to } = view.state.selection.main;
      props.onSelect(from === to ? null : { from, to });
    };
    // On a phone it would bring the keyboard up.
    const takesFocus = matchMedia('(pointer: fine)').matches;
    const ends = [
      effect(() => {
        if (openings.value >= 0 && takesFocus) focusWithoutDialog(() => isShown && view.focus());
      }),
      (() => {
        const before = insertion.peek().count;
        return effect(() => {
          const { text: inserted, count } = insertion.value;
          if (count === before) return;
          view.dispatch(view.state.replaceSelection(inserted), { scrollIntoView: true });
          if (takesFocus) view.focus();
        });
      })(),
      effect(() => {
        const ids = new Set(openTabs.value.map(({ id }) => id));
        for (const id of states.keys()) if (!ids.has(id)) states.delete(id);
      }),
      effect(() => {
        if (shownTab.value !== tab) turnTo(shownTab.value);
        const change = changeBetween(view.state.doc.toString(), text.value);
        if (change !== null) view.dispatch({ changes: change, scrollIntoView: true });
      }),
      effect(() => {
        const wasOffering = completionStatus(view.state) !== null || !isCatalogKnown.peek();
        view.dispatch({ effects: changing.reconfigure(language(tables.value, reference.value)) });
        // Other sources are asked with the next letter only: whoever was faster than the catalog would wait in vain.
        if (wasOffering && waitsForCompletion(view)) startCompletion(view);
      }),
      effect(() => mark(props.diagnostics.value)),
    ];
    const endIdle = whenIdle(async () => {
      const { find } = await import('./find.ts');
      found = find;
      if (isShown) view.dispatch({ effects: finding.reconfigure(find) });
    });
    return () => {
      isShown = false;
      endIdle();
      for (const end of ends) end();
      view.destroy();
    };
  }, []);
  return <div class="editor" ref={place} />;
}
