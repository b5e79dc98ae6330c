/** HTML that is safe to send. Only `html` creates it, so text can't get in unescaped. */
export class Html {
  readonly markup: string;
  private constructor(markup: string) {
    this.markup = markup;
  }
  static of(strings: TemplateStringsArray, values: readonly Content[]): Html {
    return new Html(strings.reduce((whole, part, i) => whole + markupOf(values[i - 1]) + part));
  }
}

export type Content = Html | string | number | null | undefined | false | readonly Content[];

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function markupOf(content: Content): string {
  if (content instanceof Html) return content.markup;
  if (Array.isArray(content)) return content.map(markupOf).join('');
  if (content === null || content === undefined || content === false) return '';
  return String(content as string | number).replace(/[&<>"']/g, character => entities[character]!);
}

/** Builds HTML from a template and escapes its values, unless they are HTML themselves. Attribute values must be in quotes. */
export const html = (strings: TemplateStringsArray, ...values: readonly Content[]): Html => Html.of(strings, values);
