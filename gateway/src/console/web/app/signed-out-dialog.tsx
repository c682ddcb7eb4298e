import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { isSignedOut } from '../net/connection.ts';
import { goToSignIn } from './session.ts';

/** Over the page, which stays as it is below: nothing that was typed is lost. */
export function SignedOutDialog() {
  if (!isSignedOut.value) return null;
  const close = (): void => {
    isSignedOut.value = false;
  };
  return (
    <Dialog
      title="You were signed out"
      onClose={close}
      actions={
        <>
          <Button onClick={close}>Stay on this page</Button>
          <Button kind="primary" onClick={() => goToSignIn()}>
            Sign in again
          </Button>
        </>
      }
    >
      <p>
        A session ends after 12 hours without use, or when it is ended elsewhere. What you wrote is kept in
        this browser and is here when you come back.
      </p>
    </Dialog>
  );
}
