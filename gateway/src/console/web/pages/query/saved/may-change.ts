import type { SavedQuery } from '../../../../api/saved-queries.ts';
import { isAdmin, session } from '../../../app/session.ts';

/** Whether who is signed in may change it in place. */
export const mayChange = ({ createdBy }: Pick<SavedQuery, 'createdBy'>): boolean =>
  isAdmin.peek() || createdBy === session.peek().user.email;
