/** What a bench is told on its command line. */
export interface BenchOptions {
  /** Begins every sequence of random numbers. */
  seed: number;
  /** Smaller files, fewer rounds. */
  quick: boolean;
}

/** The same of a bench that measures peers too. */
export interface PeersOptions extends BenchOptions {
  /** Folder in which the peers are installed. Without it they are left out. */
  peers?: string | undefined;
}
