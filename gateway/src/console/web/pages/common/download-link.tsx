import type { ComponentChildren } from 'preact';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { saveAs } from './save-as.ts';

interface DownloadLinkProps {
  /** Of the file. */
  readonly name: string;
  readonly type: string;
  readonly text: string;
  readonly children: ComponentChildren;
}

/** A file that is made of text that is here. */
export function DownloadLink({ name, type, text, children }: DownloadLinkProps) {
  return (
    <Button onClick={() => saveAs(name, type, text)}>
      <Icon name="download" />
      {children}
    </Button>
  );
}
