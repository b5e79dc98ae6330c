import { attributeHelp } from './attribute-help.ts';
import { classes, type TemplateRow } from './classes.ts';
import type { ClassName } from './class-name.ts';

/** The template of a class as `-t` prints it, or with the help of each attribute as `-v` does. Lines end with LF. */
export function template(className: ClassName, options: { readonly verbose: boolean }): string {
  const { template: rows } = classes[className];
  const table = rows.map(templateLine).join('');
  if (!options.verbose) return table;
  const help = rows.map(row => `${row.attribute}\n\n${wrap(attributeHelp[row.attribute])}\n`).join('\n');
  return `The ${className} class:\n\n${table}\nThe attributes of the ${className} class:\n\n${help}`;
}

function templateLine({ attribute, need, often, key }: TemplateRow): string {
  const keys = key.length === 0 ? ' ' : `${key.map(use => (use === 'lookup' ? 'look-up' : use)).join('/')} key`;
  return `${`${attribute}:`.padEnd(16)}${`[${need}]`.padEnd(13)}${`[${often === 'many' ? 'multiple' : 'single'}]`.padEnd(13)}[${keys}]\n`;
}

function wrap(text: string): string {
  const lines: string[] = [];
  let line = '  ';
  for (const word of text.split(' ')) {
    if (line.length + word.length + 1 > 76 && line.trim() !== '') {
      lines.push(line);
      line = '  ';
    }
    line += ` ${word}`;
  }
  lines.push(line);
  return `${lines.join('\n')}\n`;
}
