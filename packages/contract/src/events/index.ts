export * from './certificates.ts';
export * from './desk.ts';
export * from './event-shapes.ts';
export * from './events.ts';
export * from './life.ts';
