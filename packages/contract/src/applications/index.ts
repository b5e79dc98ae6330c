export * from './application-form.ts';
export * from './applications.ts';
export * from './life.ts';
export * from './referral-life.ts';
export * from './referrals.ts';
