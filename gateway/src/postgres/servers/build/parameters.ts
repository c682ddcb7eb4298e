/** What a plain session is told of its settings when it starts. */
import { Client } from 'pg';
import { FIRST_DATABASE, SOCKET_PORT } from '../owner-connection.ts';

/** A ParameterStatus, as the library hands it on. */
interface Told {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** By ParameterStatus, up to the first ReadyForQuery. */
export async function sessionParameters(
  socketFolder: string,
  user: string,
): Promise<Readonly<Record<string, string>>> {
  const client = new Client({
    ...{ host: socketFolder, port: SOCKET_PORT, user, database: FIRST_DATABASE },
    // The library would take what is not given from our environment.
    ...{ password: '', ssl: false, application_name: '' },
  });
  const parameters: Record<string, string> = {};
  client.connection.on('parameterStatus', ({ parameterName, parameterValue }: Told) => {
    parameters[parameterName] = parameterValue;
  });
  await client.connect();
  await client.end();
  return parameters;
}
