export * from './application-form.ts';
export * from './applications.ts';
export * from './referrals.ts';
