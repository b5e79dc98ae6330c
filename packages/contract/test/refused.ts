import * as z from 'zod/mini';
import { endpoint, member, signedIn } from '../src/endpoint.ts';

/** Code that must not compile: type inference that widens silently would accept each of these. */

// @ts-expect-error a change names its line in the activity log
export const noActivity = endpoint({ method: 'POST', path: '/api/x', summary: '', access: signedIn });
// @ts-expect-error a read leaves none
export const activityOnRead = endpoint({ method: 'GET', path: '/api/x', summary: '', access: signedIn, activity: 'x' });
// @ts-expect-error who may call is said
export const noAccess = endpoint({ method: 'GET', path: '/api/x', summary: '' });
// @ts-expect-error permissions are those of the list
export const unknownPermission = endpoint({ method: 'GET', path: '/api/x', summary: '', access: member('nope') });
// @ts-expect-error errors are those of the catalogue
export const unknownError = endpoint({ method: 'GET', path: '/api/x', summary: '', access: signedIn, errors: ['NOPE'] });
// @ts-expect-error an answer is a schema
export const noSchema = endpoint({ method: 'GET', path: '/api/x', summary: '', access: signedIn, answer: { a: z.string } });
