import { useEffect, useState } from 'preact/hooks';
import { PANEL_CHARS_MAX } from '../limits.ts';

/** As it is written, until what lays it out is loaded. */
export function useLaidOut(json: string, isDocument: boolean): string {
  const [laidOut, setLaidOut] = useState<{ readonly of: string; readonly text: string } | null>(null);
  useEffect(() => {
    if (!isDocument || json.length > PANEL_CHARS_MAX) return;
    let isWanted = true;
    void import('./lay-out.ts').then(({ layOut }) => {
      if (isWanted) setLaidOut({ of: json, text: layOut(json) });
    });
    return () => {
      isWanted = false;
    };
  }, [json, isDocument]);
  return laidOut?.of === json ? laidOut.text : json;
}
