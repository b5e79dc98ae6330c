export * from './mail-text-words.ts';
export * from './mail-texts.ts';
