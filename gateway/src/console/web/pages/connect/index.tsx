/** The Connect page: the schemas that there are, one of them, or the wizard that makes one. */
import { partsOf, place } from '../../app/router.ts';
import { SchemaList } from './schema-list.tsx';
import { SchemaView } from './schema-view.tsx';
import { Wizard } from './wizard.tsx';

export default function ConnectPage() {
  const [, kind = '', schemaName = ''] = partsOf(place.value.path);
  if (kind === 'new') return <Wizard />;
  if (kind === 'schemas' && schemaName !== '') return <SchemaView key={schemaName} schemaName={schemaName} />;
  return <SchemaList />;
}
