import type { MapView } from './address-map-layout.ts';
import styles from './AddressMap.module.css';
import type { MapText } from './map-words.ts';
import { Button } from '../action/Button.tsx';

type Props = {
  /** From the covering block to the part drawn, each inside the one before. */
  trail: readonly MapView[];
  /** Name of the covering block. */
  cover: string;
  text: MapText;
  onGo: (view: MapView) => void;
  onBack: () => void;
};

/** Steps back from the part drawn to the covering block: a button for each step, and one for the step before. */
export const MapTrail = ({ trail, cover, text, onGo, onBack }: Props) => (
  <nav aria-label="Part of the map" className={styles.trail}>
    <ol>
      {trail.map((step, index) => (
        <li key={`${step.start}/${step.sizeLog2}`}>
          {index < trail.length - 1 ? (
            <button type="button" onClick={() => onGo(step)}>
              {index === 0 ? cover : text.prefix(step.start, step.sizeLog2)}
            </button>
          ) : (
            <span>{text.prefix(step.start, step.sizeLog2)}</span>
          )}
        </li>
      ))}
    </ol>
    <Button variant="quiet" size="s" icon="zoom-out" aria-label="Zoom out" onClick={onBack} />
  </nav>
);
