import { useRef, useState } from 'react';
import { SearchInput } from '../form/SearchInput.tsx';

/** Long enough for the next key to follow, short enough to feel immediate. */
const pauseMs = 200;
const trimmed = (text: string): string => text.trim();

/**
 * Returns the text of a filter field and a function that takes the next text: searched after a pause in typing, or immediately.
 * @param wordsOf converts a text to a query; null while it is incomplete
 */
export function useFilterWords(
  value: string,
  onChange: (words: string) => void,
  wordsOf: (text: string) => string | null = trimmed,
): [text: string, type: (text: string, when?: 'after a pause' | 'immediately') => void] {
  // The typed text counts until the filter changes from elsewhere (a link, going back).
  const [typed, setTyped] = useState({ text: value, above: value });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const type = (text: string, when = text === '' ? 'immediately' : 'after a pause') => {
    clearTimeout(timer.current);
    setTyped({ text, above: value });
    const words = wordsOf(text);
    if (words === null || words === value) return;
    const commit = () => {
      setTyped({ text, above: words });
      onChange(words);
    };
    if (when === 'immediately') commit();
    else timer.current = setTimeout(commit, pauseMs);
  };
  return [typed.above === value ? typed.text : value, type];
}

/** Words to filter a table by. */
export function FilterSearch({
  label,
  placeholder,
  value,
  onChange,
  className,
}: {
  label: string;
  placeholder?: string;
  /** The words that are filtered by. */
  value: string;
  onChange: (words: string) => void;
  className?: string | undefined;
}) {
  const [text, type] = useFilterWords(value, onChange);
  return (
    <SearchInput
      label={label}
      value={text}
      onChange={type}
      maxLength={100}
      spellCheck={false}
      autoComplete="off"
      {...(placeholder && { placeholder })}
      {...(className && { className })}
    />
  );
}
