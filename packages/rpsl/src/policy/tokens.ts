/** Smallest parts of a policy. `regex` is the inside of `<…>`, `end` occurs once at the end. */
export interface PolicyToken {
  readonly kind: 'word' | 'sign' | 'regex' | 'end';
  readonly text: string;
}

const pattern =
  /\s+|(?<word>\^?[A-Za-z0-9_:/*-][A-Za-z0-9_:/^+*-]*(?:\.[A-Za-z0-9_:/^+*-]+)*|\^[+-])|(?<sign>\.=|\+=|-=|\*=|==|!=|<<=|>>=|<=|>=|[{}(),;=>])|<(?<regex>[^>]*)>|(?<other>[\s\S])/gy;

/** Cuts a policy into words, signs and AS-path expressions; what is none of these comes out as a sign of one character. Linear in the text. */
export function readTokens(text: string): PolicyToken[] {
  const tokens: PolicyToken[] = [];
  // Without a closing sign `<` would search the whole rest again each time.
  const lastClosing = text.lastIndexOf('>');
  pattern.lastIndex = 0;
  for (;;) {
    if (pattern.lastIndex > lastClosing && text[pattern.lastIndex] === '<') {
      tokens.push({ kind: 'sign', text: '<' });
      pattern.lastIndex++;
      continue;
    }
    const match = pattern.exec(text);
    if (match?.groups === undefined) break;
    const { word, sign, regex, other } = match.groups;
    if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else if (regex !== undefined) tokens.push({ kind: 'regex', text: regex });
    else if (sign !== undefined || other !== undefined) tokens.push({ kind: 'sign', text: sign ?? other ?? '' });
  }
  tokens.push({ kind: 'end', text: '' });
  return tokens;
}
