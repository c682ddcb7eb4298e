/** Where the console starts in the browser. */
import './style/index.css';
import { render } from 'preact';
import { followLinks } from './app/router.ts';
import { keepSession, loadSession, restoreFragment } from './app/session.ts';
import { Shell } from './app/shell.tsx';
import { applyTheme, theme } from './app/theme.ts';
import { watchConnection } from './app/watch-connection.ts';

applyTheme(theme.value);
restoreFragment();
followLinks();
watchConnection();
const root = document.getElementById('console');
if (root === null) throw new Error('the document has no element for the console');
render(<Shell />, root);
await loadSession();
keepSession();
