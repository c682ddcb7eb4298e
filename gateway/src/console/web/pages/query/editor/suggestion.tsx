import { Button } from '../../../components/button.tsx';
import { Foreign } from '../../../components/foreign.tsx';
import { applySuggestion, markedError } from './marks.ts';

/** Writes what the error suggests in the place that it is about. Nothing where it suggests nothing. */
export function Suggestion() {
  const [suggestion] = markedError.value?.place.suggestions ?? [];
  if (suggestion === undefined) return null;
  return (
    <Button onClick={applySuggestion}>
      <span>
        Write{' '}
        <code>
          <Foreign text={suggestion} />
        </code>{' '}
        instead
      </span>
      <kbd>Ctrl .</kbd>
    </Button>
  );
}
