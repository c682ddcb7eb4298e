/** Where the forms of a page go, and what each carries. */
export interface FormTarget {
  /** URL of the page itself: loading it again shows it again. */
  readonly action: string;
  /** URL that gives the options for navigator.credentials. */
  readonly passkeyOptions: string;
  /** The CSRF token, where the page has one. */
  readonly fields: Readonly<Record<string, string>>;
}
