"""`tensormill plan SCRIPT:FUNCTION`: what a step would cost on devices that are not here.

command     the options; the report, of what a child process measured
request     what is asked, as one process tells it another
measuring   the child: it runs the script, and compiles the function for as many host devices
subject     the function, its arguments and variables, and how these are divided
counts      work, traffic and exchanges of the compiled program; `exchanges` over which axes
devices     figures of chips; `times` what they make of counts; `report` all of it as text
"""
