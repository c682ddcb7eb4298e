import { useEffect, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { copyText } from './copy.ts';
import { Icon } from './icon.tsx';

const SAID_MS = 2_000;

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for the button's name: "Copy the role ARN". */
  readonly what: string;
  /** Shows no words. */
  readonly iconOnly?: boolean;
}

/** Copies, and says for two seconds whether it did. */
export function CopyButton({ text, what, iconOnly = false }: CopyButtonProps) {
  const [said, setSaid] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const word = said === 'copied' ? 'Copied' : said === 'failed' ? 'Not copied' : 'Copy';
  return (
    <Button
      small
      kind={iconOnly ? 'quiet' : 'secondary'}
      class={iconOnly ? 'icon-only' : 'copy'}
      aria-label={said === null ? `Copy ${what}` : word}
      title={said === null ? `Copy ${what}` : word}
      onClick={() => void copyText(text).then((isCopied) => setSaid(isCopied ? 'copied' : 'failed'))}
    >
      <Icon name={said === 'copied' ? 'check' : 'copy'} />
      {iconOnly ? null : word}
      <span class="sr-only" role="status">
        {said === null ? '' : word}
      </span>
    </Button>
  );
}

/** Text in a box with a button that copies it: commands, policies, secrets. */
export function CopyBlock({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div class="copy-block">
      <pre tabIndex={0} aria-label={what}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}
