import { Button } from '../../components/button.tsx';

interface StatusButtonProps {
  /** Whose, for those who hear it. */
  readonly name: string;
  readonly status: 'active' | 'disabled';
  /** Asks first: it ends what runs. */
  readonly onDisable: () => void;
  readonly onEnable: () => void;
}

/** Disables what is active, and enables what is disabled. */
export function StatusButton({ name, status, onDisable, onEnable }: StatusButtonProps) {
  return status === 'active' ? (
    <Button small kind="danger" aria-label={`Disable ${name}`} onClick={onDisable}>
      Disable
    </Button>
  ) : (
    <Button small aria-label={`Enable ${name}`} onClick={onEnable}>
      Enable
    </Button>
  );
}
