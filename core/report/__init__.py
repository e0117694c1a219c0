"""Reports: what is chosen, in which order, with which notes; and what that looks like as HTML, Markdown and LaTeX."""
