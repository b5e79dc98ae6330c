/** Resources shown at most; others are typed. */
export const MOST = 100;
