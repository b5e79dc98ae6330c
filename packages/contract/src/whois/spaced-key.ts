/** Spells the key of a route as people read it, `198.18.0.0/19 AS64500`; every other key stays as it is. Addresses and calls take the key unspaced. */
export const spacedKey = (shown: string): string => shown.replace(/(\/\d{1,3})(AS\d+)$/i, '$1 $2');
