import { createContext } from 'react';

/** How parts of a request look: ruled within another surface, or each a sheet of its own on the page of a case. */
export const PartLook = createContext<'ruled' | 'sheet'>('ruled');
