export * from './frozen-logins.ts';
export * from './notification-addresses.ts';
export * from './people.ts';
