/** Where the page begins: styles in the order in which they may overrule each other, then the page. */
import "@fontsource-variable/source-sans-3/wght.css";
import "@fontsource-variable/source-serif-4/wght.css";
import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import "./style/base.css";
import "./style/layout.css";
import "./style/board.css";
import "./style/tables.css";
import "./style/game.css";
import "./style/search.css";
import { render } from "preact";
import { App } from "./view/app";

const page = document.getElementById("page");
if (page) render(<App />, page);
