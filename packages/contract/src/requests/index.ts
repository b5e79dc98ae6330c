export * from './desk.ts';
export * from './event-space.ts';
export * from './listings.ts';
export * from './request-form.ts';
export * from './request-words.ts';
export * from './requests.ts';
export * from './subaccounts.ts';
