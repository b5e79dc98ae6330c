export * from './access-requests.ts';
export * from './access-reviews.ts';
export * from './account-safety.ts';
export * from './contacts.ts';
export * from './helper-permissions.ts';
export * from './invitations.ts';
export * from './life.ts';
export * from './registry-requests.ts';
