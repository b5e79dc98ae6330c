const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** The name of an economy by its code in ISO 3166. */
export const economyName = (code: string): string => names.of(code) ?? code;
