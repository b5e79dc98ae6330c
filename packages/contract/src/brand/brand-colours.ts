/** By day and by night. */
export type Theme = 'light' | 'dark';

/** Surfaces on which text in the accent colour stands, as `packages/ui/src/tokens.css` has them, each with its name. */
export const surfaces = {
  light: { page: '#f4f5f8', sheet: '#ffffff', sunken: '#eceef3', hover: '#f0f2f6' },
  dark: { page: '#0c1120', sheet: '#121929', sunken: '#090d19', hover: '#182034' },
} as const satisfies Record<Theme, Record<string, string>>;

/** The accent of the design, where a registry has none of its own. */
export const usualAccent = { light: '#ac1263', dark: '#ff86ba' } as const satisfies Record<Theme, string>;

/** Least contrast of text (WCAG 2.2, 1.4.3), and of lines that say something (1.4.11). */
export const leastOfText = 4.5;
const leastOfLines = 3;

type Parts = readonly [red: number, green: number, blue: number];

const partsOf = (colour: string): Parts => [1, 3, 5].map(start => Number.parseInt(colour.slice(start, start + 2), 16)) as unknown as Parts;
const colourOf = (parts: readonly number[]): string => `#${parts.map(part => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

/** Mixes two colours in sRGB. @param share how much there is of the first, from 0 to 1 */
const mix = (one: string, other: string, share: number): string => {
  const rest = partsOf(other);
  return colourOf(partsOf(one).map((part, place) => part * share + rest[place]! * (1 - share)));
};

/** Relative luminance of `#rrggbb` (WCAG 2.2). */
function luminance(colour: string): number {
  const [red, green, blue] = partsOf(colour).map(part => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** Contrast of two colours, from 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

/** A colour as it is stored: `#` and six small letters or digits. Null where a text is none. */
export const readColour = (text: string): string | null => (/^#[\da-f]{6}$/i.test(text.trim()) ? text.trim().toLowerCase() : null);

/** Ends of the scale of a theme: text is nearest to the one, its surfaces to the other. */
const ends = { light: { text: '#000000', surface: '#ffffff' }, dark: { text: '#ffffff', surface: '#000000' } } as const;

/** The tint behind what is selected or about to change. */
const tintOf = (accent: string, theme: Theme): string => mix(accent, surfaces[theme].sheet, theme === 'light' ? 0.09 : 0.16);

/** Colour of text on the accent itself, and on its stronger form. */
const onAccent = { light: '#ffffff', dark: '#0c1120' } as const satisfies Record<Theme, string>;

export type Contrast = { surface: string; ratio: number };

/** Returns the contrast of an accent colour on each surface where text of it stands, the lowest first. */
export function contrasts(accent: string, theme: Theme): Contrast[] {
  return [
    ...Object.entries(surfaces[theme]).map(([surface, colour]) => ({ surface, ratio: contrast(accent, colour) })),
    { surface: 'tint', ratio: contrast(accent, tintOf(accent, theme)) },
    { surface: 'text on it', ratio: contrast(onAccent[theme], accent) },
  ].toSorted((one, other) => one.ratio - other.ratio);
}

/** Returns whether text in a colour can be read wherever it stands. */
export const isReadable = (accent: string, theme: Theme): boolean => contrasts(accent, theme)[0]!.ratio >= leastOfText;

/** Returns the colour nearest to one, of its hue, that can be read: darker by day, lighter by night. */
export function nearestReadable(accent: string, theme: Theme): string {
  for (let percent = 0; percent < 100; percent++) {
    const colour = mix(ends[theme].text, accent, percent / 100);
    if (isReadable(colour, theme)) return colour;
  }
  return ends[theme].text;
}

/** Returns the colour of lines in the accent: as light as it may be. */
function lineOf(accent: string, theme: Theme): string {
  for (let percent = 60; percent < 100; percent += 2) {
    const colour = mix(accent, surfaces[theme].sheet, percent / 100);
    if (contrast(colour, surfaces[theme].sheet) >= leastOfLines) return colour;
  }
  return accent;
}

/** Returns everything that follows from an accent colour, by the names of its variables. */
const shadesOf = (accent: string, theme: Theme) => ({
  accent,
  'accent-strong': mix(accent, ends[theme].text, theme === 'light' ? 0.82 : 0.75),
  'accent-tint': tintOf(accent, theme),
  'accent-line': lineOf(accent, theme),
  'on-accent': onAccent[theme],
});

/**
 * Returns the style rule that sets the accent of every page; empty where the design's is in force.
 * @param light the accent by day, such as `#0b5cad`; empty: that of the design @param dark by night
 */
export function accentRule(light: string, dark: string): string {
  if (light === '' && dark === '') return '';
  const day = shadesOf(light || usualAccent.light, 'light');
  const night = shadesOf(dark || usualAccent.dark, 'dark');
  const rules = Object.entries(day).map(([name, colour]) => `--${name}:light-dark(${colour},${night[name as keyof typeof night]})`);
  // Stronger than the rule of the sheets, whichever comes first.
  return `html:root{${rules.join(';')}}`;
}
