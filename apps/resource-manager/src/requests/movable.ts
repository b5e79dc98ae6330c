/** Resources shown at most; others are typed. */
export const MAX = 100;
