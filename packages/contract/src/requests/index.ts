export * from './desk.ts';
export * from './request-form.ts';
export * from './requests.ts';
export * from './request-words.ts';
