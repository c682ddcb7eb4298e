/** Fields of a form with what is wrong with each: said when it is sent, and mended while one types. */
import { useState } from 'preact/hooks';

type Values = Readonly<Record<string, string>>;
export type Problems<V extends Values> = Readonly<Partial<Record<keyof V, string>>>;

export interface Form<V extends Values> {
  readonly values: V;
  /** Of fields that were sent once, or that the server refused. */
  readonly problems: Problems<V>;
  readonly set: <Name extends keyof V>(name: Name, value: V[Name]) => void;
  /** Checks all fields; true where nothing is wrong. Else the first wrong field takes the focus. */
  readonly check: () => boolean;
  /** Shows what the server said of a field. */
  readonly refuse: (name: keyof V, problem: string) => void;
}

export function useForm<V extends Values>(start: V, problemsOf: (values: V) => Problems<V>): Form<V> {
  const [values, setValues] = useState(start);
  const [isSent, setSent] = useState(false);
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const problems = { ...(isSent ? problemsOf(values) : {}), ...refused } as Problems<V>;
  return {
    values,
    problems,
    set: (name, value) => {
      setValues((before) => ({ ...before, [name]: value }));
      setRefused((before) => Object.fromEntries(Object.entries(before).filter(([each]) => each !== name)));
    },
    check: () => {
      setSent(true);
      const isRight = Object.keys(problemsOf(values)).length === 0;
      // Once the messages stand in the page.
      if (!isRight) setTimeout(() => document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return isRight;
    },
    refuse: (name, problem) => {
      setRefused((before) => ({ ...before, [String(name)]: problem }));
      setTimeout(() => document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
    },
  };
}
