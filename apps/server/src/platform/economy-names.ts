const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** The name of an economy by its code in ISO 3166; what isn't such a code is its own name. */
export function economyName(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}
