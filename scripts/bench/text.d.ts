/** The bundler imports text files as strings. */
declare module '*.txt' {
  const text: string;
  export default text;
}
